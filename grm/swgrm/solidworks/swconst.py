"""The SolidWorks constants that captures contain, under their names in the type library swconst.

An enumeration is complete unless its docstring begins with "Some".
"""

# ruff: noqa: N801, N815 - the names are those of SolidWorks

from __future__ import annotations

from enum import IntEnum


class swDocumentTypes_e(IntEnum):
    """SolidWorks' values."""

    swDocNONE = 0
    swDocPART = 1
    swDocASSEMBLY = 2
    swDocDRAWING = 3
    swDocSDM = 4
    swDocLAYOUT = 5
    swDocIMPORTED_PART = 6
    swDocIMPORTED_ASSEMBLY = 7


class swComponentSuppressionState_e(IntEnum):
    """SolidWorks' values."""

    swComponentSuppressed = 0
    swComponentLightweight = 1
    swComponentFullyResolved = 2
    swComponentResolved = 3
    swComponentFullyLightweight = 4
    swComponentInternalIdMismatch = 5


class swComponentSolvingOption_e(IntEnum):
    """SolidWorks' values."""

    swComponentRigidSolving = 0
    swComponentFlexibleSolving = 1


class swMateType_e(IntEnum):
    """SolidWorks' values."""

    swMateCOINCIDENT = 0
    swMateCONCENTRIC = 1
    swMatePERPENDICULAR = 2
    swMatePARALLEL = 3
    swMateTANGENT = 4
    swMateDISTANCE = 5
    swMateANGLE = 6
    swMateUNKNOWN = 7
    swMateSYMMETRIC = 8
    swMateCAMFOLLOWER = 9
    swMateGEAR = 10
    swMateWIDTH = 11
    swMateLOCKTOSKETCH = 12
    swMateRACKPINION = 13
    swMateMAXMATES = 14
    swMatePATH = 15
    swMateLOCK = 16
    swMateSCREW = 17
    swMateLINEARCOUPLER = 18
    swMateUNIVERSALJOINT = 19
    swMateCOORDINATE = 20
    swMateSLOT = 21
    swMateHINGE = 22
    swMateSLIDER = 23
    swMatePROFILECENTER = 24
    swMateMAGNETIC = 25


class swMateEntity2ReferenceType_e(IntEnum):
    """SolidWorks' values."""

    swMateEntity2ReferenceType_Point = 0
    swMateEntity2ReferenceType_Line = 1
    swMateEntity2ReferenceType_Circle = 2
    swMateEntity2ReferenceType_Plane = 3
    swMateEntity2ReferenceType_Cylinder = 4
    swMateEntity2ReferenceType_Sphere = 5
    swMateEntity2ReferenceType_Set = 6
    swMateEntity2ReferenceType_Cone = 7
    swMateEntity2ReferenceType_SweptSurface = 8
    swMateEntity2ReferenceType_MultipleSurface = 9
    swMateEntity2ReferenceType_GenSurface = 10
    swMateEntity2ReferenceType_Ellipse = 11
    swMateEntity2ReferenceType_GeneralCurve = 12
    swMateEntity2ReferenceType_UNKNOWN = 13


class swRackPinionMateDistanceOptions_e(IntEnum):
    """SolidWorks' values."""

    swPinionPitchDiameter = 0
    swRackTravelPerRevolution = 1


class swScrewMateDistanceOptions_e(IntEnum):
    """SolidWorks' values."""

    swRevolutionsPerUnitLength = 0
    swDistancePerRevolution = 1


class swSlotMateConstraintOptions_e(IntEnum):
    """SolidWorks' values."""

    swSlotMateConstraintOption_Free = 0
    swSlotMateConstraintOption_Centered = 1
    swSlotMateConstraintOption_Distance = 2
    swSlotMateConstraintOption_Percent = 3


class swMateWidthOptions_e(IntEnum):
    """SolidWorks' values."""

    swMateWidth_Centered = 0
    swMateWidth_Free = 1
    swMateWidth_Dimension = 2
    swMateWidth_Percent = 3


class swToolBoxPartType_e(IntEnum):
    """SolidWorks' values."""

    swNotAToolboxPart = 0
    swToolboxStandardPart = 1
    swToolboxCopiedPart = 2


class swFeatureError_e(IntEnum):
    """Some of SolidWorks' values."""

    swFeatureErrorNone = 0
    swFeatureErrorUnknown = 1
    swFeatureErrorMateInvalidEdge = 38
    swFeatureErrorMateInvalidFace = 39
    swFeatureErrorMateFailedCreatingSurface = 40
    swFeatureErrorMateInvalidEntity = 41
    swFeatureErrorMateUnknownTangent = 42
    swFeatureErrorMateDanglingGeometry = 43
    swFeatureErrorMateEntityNotLinear = 44
    swFeatureErrorMateEntityFailed = 45
    swFeatureErrorMateOverdefined = 46
    swFeatureErrorMateIlldefined = 47
    swFeatureErrorMateBroken = 48


class swCurveTypes_e(IntEnum):
    """SolidWorks' values."""

    LINE_TYPE = 3001
    CIRCLE_TYPE = 3002
    ELLIPSE_TYPE = 3003
    INTERSECTION_TYPE = 3004
    BCURVE_TYPE = 3005
    SPCURVE_TYPE = 3006
    CONSTPARAM_TYPE = 3008
    TRIMMED_TYPE = 3009


class swSurfaceTypes_e(IntEnum):
    """SolidWorks' values."""

    PLANE_TYPE = 4001
    CYLINDER_TYPE = 4002
    CONE_TYPE = 4003
    SPHERE_TYPE = 4004
    TORUS_TYPE = 4005
    BSURF_TYPE = 4006
    BLEND_TYPE = 4007
    OFFSET_TYPE = 4008
    EXTRU_TYPE = 4009
    SREV_TYPE = 4010
