"""The SolidWorks constants that only its calls need: options, preferences, results and errors.

An enumeration is complete unless its docstring begins with "Some".
"""

# ruff: noqa: N801, N815 - the names are those of SolidWorks

from __future__ import annotations

from enum import IntEnum


class swComponentVisibilityState_e(IntEnum):
    """SolidWorks' values."""

    swComponentHidden = 0
    swComponentVisible = 1
    swComponentUnknown = -1


class swMateAlign_e(IntEnum):
    """SolidWorks' values."""

    swMateAlignALIGNED = 0
    swMateAlignANTI_ALIGNED = 1
    swMateAlignCLOSEST = 2
    swAlignNONE = 0
    swAlignSAME = 1
    swAlignAGAINST = 2


class swOpenDocOptions_e(IntEnum):
    """SolidWorks' values."""

    swOpenDocOptions_Silent = 1
    swOpenDocOptions_ReadOnly = 2
    swOpenDocOptions_ViewOnly = 4
    swOpenDocOptions_RapidDraft = 8
    swOpenDocOptions_LoadModel = 16
    swOpenDocOptions_AutoMissingConfig = 32
    swOpenDocOptions_OverrideDefaultLoadLightweight = 64
    swOpenDocOptions_LoadLightweight = 128
    swOpenDocOptions_DontLoadHiddenComponents = 256
    swOpenDocOptions_LoadExternalReferencesInMemory = 512
    swOpenDocOptions_OpenDetailingMode = 1024
    swOpenDocOptions_LDR_EditAssembly = 2048
    swOpenDocOptions_SpeedPak = 4096
    swOpenDocOptions_AdvancedConfig = 8192


class swFileLoadError_e(IntEnum):
    """SolidWorks' values."""

    swGenericError = 1
    swFileNotFoundError = 2
    swIdMatchError = 4
    swReadOnlyWarn = 8
    swSharingViolationWarn = 16
    swDrawingANSIUpdateWarn = 32
    swSheetScaleUpdateWarn = 64
    swNeedsRegenWarn = 128
    swBasePartNotLoadedWarn = 256
    swFileAlreadyOpenWarn = 512
    swInvalidFileTypeError = 1024
    swDrawingsOnlyRapidDraftWarn = 2048
    swViewOnlyRestrictions = 4096
    swFutureVersion = 8192
    swViewMissingReferencedConfig = 16384
    swDrawingSFSymbolConvertWarn = 32768
    swFileWithSameTitleAlreadyOpen = 65536
    swLiquidMachineDoc = 131072
    swLowResourcesError = 262144
    swNoDisplayData = 524288
    swAddinInteruptError = 1048576
    swFileRequiresRepairError = 2097152
    swFileCriticalDataRepairError = 4194304
    swApplicationBusy = 8388608
    swConnectedIsOffline = 16777216


class swFileLoadWarning_e(IntEnum):
    """SolidWorks' values."""

    swFileLoadWarning_IdMismatch = 1
    swFileLoadWarning_ReadOnly = 2
    swFileLoadWarning_SharingViolation = 4
    swFileLoadWarning_DrawingANSIUpdate = 8
    swFileLoadWarning_SheetScaleUpdate = 16
    swFileLoadWarning_NeedsRegen = 32
    swFileLoadWarning_BasePartNotLoaded = 64
    swFileLoadWarning_AlreadyOpen = 128
    swFileLoadWarning_DrawingsOnlyRapidDraft = 256
    swFileLoadWarning_ViewOnlyRestrictions = 512
    swFileLoadWarning_ViewMissingReferencedConfig = 1024
    swFileLoadWarning_DrawingSFSymbolConvert = 2048
    swFileLoadWarning_RevolveDimTolerance = 4096
    swFileLoadWarning_ModelOutOfDate = 8192
    swFileLoadWarning_DimensionsReferencedIncorrectlyToModels = 16384
    swFileLoadWarning_ComponentMissingReferencedConfig = 32768
    swFileLoadWarning_InvisibleDoc_LinkedDesignTableUpdateFail = 65536
    swFileLoadWarning_MissingDesignTable = 131072
    swFileLoadWarning_AutomaticRepair = 262144
    swFileLoadWarning_CriticalDataRepair = 524288
    swFileLoadWarning_MissingExternalReferences = 1048576


class swMassPropertyMoment_e(IntEnum):
    """SolidWorks' values."""

    swMassPropertyMomentAboutCenterOfMass = 0
    swMassPropertyMomentAboutCoordSys = 1


class swBodyType_e(IntEnum):
    """SolidWorks' values."""

    swAllBodies = -1
    swSolidBody = 0
    swSheetBody = 1
    swWireBody = 2
    swMinimumBody = 3
    swGeneralBody = 4
    swEmptyBody = 5
    swMeshBody = 6
    swGraphicsBody = 7


class swBodyInfo_e(IntEnum):
    """SolidWorks' values."""

    swUserBody_e = 0
    swNormalBody_e = 1


class swInConfigurationOpts_e(IntEnum):
    """SolidWorks' values."""

    swConfigPropertySuppressFeatures = 0
    swThisConfiguration = 1
    swAllConfiguration = 2
    swSpecifyConfiguration = 3
    swLinkedToParent = 4
    swSpeedpakConfiguration = 5


class swUnitSystem_e(IntEnum):
    """SolidWorks' values."""

    swUnitSystem_CGS = 1
    swUnitSystem_MKS = 2
    swUnitSystem_IPS = 3
    swUnitSystem_Custom = 4
    swUnitSystem_MMGS = 5


class swUpdateProgressError_e(IntEnum):
    """SolidWorks' values."""

    swUpdateProgressError_UnknownError = 0
    swUpdateProgressError_Success = 1
    swUpdateProgressError_UserCancel = 2
    swUpdateProgressError_OutOfBounds = 3
    swUpdateProgressError_NotInitialized = 4


class swRebuildOnActivation_e(IntEnum):
    """SolidWorks' values."""

    swUserDecision = 0
    swDontRebuildActiveDoc = 1
    swRebuildActiveDoc = 2


class swCustomInfoType_e(IntEnum):
    """SolidWorks' values."""

    swCustomInfoUnknown = 0
    swCustomInfoText = 30
    swCustomInfoDate = 64
    swCustomInfoNumber = 3
    swCustomInfoDouble = 5
    swCustomInfoYesOrNo = 11
    swCustomInfoEquation = 105


class swSuppressionError_e(IntEnum):
    """SolidWorks' values."""

    swSuppressionBadComponent = 0
    swSuppressionBadState = 1
    swSuppressionChangeOk = 2
    swSuppressionChangeFailed = 3


class swSelectType_e(IntEnum):
    """Some of SolidWorks' values."""

    swSelNOTHING = 0
    swSelEDGES = 1
    swSelFACES = 2
    swSelVERTICES = 3
    swSelDATUMPLANES = 4
    swSelDATUMAXES = 5
    swSelDATUMPOINTS = 6
    swSelCOMPONENTS = 20
    swSelCOORDSYS = 61


class swUserPreferenceIntegerValue_e(IntEnum):
    """Some of SolidWorks' values."""

    swUnitsLinear = 47
    swUnitSystem = 263


class swUserPreferenceToggle_e(IntEnum):
    """Some of SolidWorks' values."""

    swInputDimValOnCreate = 10
    swUsePositiveInertiaTensorNotation = 770


class swUserPreferenceOption_e(IntEnum):
    """Some of SolidWorks' values."""

    swDetailingNoOptionSpecified = 0


class swMessageBoxIcon_e(IntEnum):
    """SolidWorks' values."""

    swMbWarning = 1
    swMbInformation = 2
    swMbQuestion = 3
    swMbStop = 4


class swMessageBoxBtn_e(IntEnum):
    """SolidWorks' values."""

    swMbAbortRetryIgnore = 1
    swMbOk = 2
    swMbOkCancel = 3
    swMbRetryCancel = 4
    swMbYesNo = 5
    swMbYesNoCancel = 6


class swMessageBoxResult_e(IntEnum):
    """SolidWorks' values."""

    swMbHitAbort = 1
    swMbHitIgnore = 2
    swMbHitNo = 3
    swMbHitOk = 4
    swMbHitRetry = 5
    swMbHitYes = 6
    swMbHitCancel = 7


class swCommandItemType_e(IntEnum):
    """SolidWorks' values."""

    swMenuItem = 1
    swToolbarItem = 2


class swCommandTabButtonTextDisplay_e(IntEnum):
    """SolidWorks' values."""

    swCommandTabButton_NoText = 1
    swCommandTabButton_TextBelow = 2
    swCommandTabButton_TextHorizontal = 4


class swCreateCommandGroupErrors(IntEnum):
    """SolidWorks' values."""

    swCreateCommandGroup_Failed = 0
    swCreateCommandGroup_Success = 1
    swCreateCommandGroup_Exceeds_ToolBarIDs = 2


class swAddMateError_e(IntEnum):
    """SolidWorks' values."""

    swAddMateError_ErrorUknown = 0
    swAddMateError_NoError = 1
    swAddMateError_IncorrectMateType = 2
    swAddMateError_IncorrectAlignment = 3
    swAddMateError_IncorrectSelections = 4
    swAddMateError_OverDefinedAssembly = 5
    swAddMateError_IncorrectGearRatios = 6


class swHingeMateEntityType_e(IntEnum):
    """SolidWorks' values."""

    swHingeMateEntityType_Concentric = 0
    swHingeMateEntityType_Coincident = 1
    swHingeMateEntityType_Angle = 2


class swRackPinionMateEntityType_e(IntEnum):
    """SolidWorks' values."""

    swRackPinionMateEntityType_Rack = 0
    swRackPinionMateEntityType_Pinion = 1


class swCamMateEntityType_e(IntEnum):
    """SolidWorks' values."""

    swCamMateEntityType_CamPath = 0
    swCamMateEntityType_CamFollower = 1


class swEndConditions_e(IntEnum):
    """SolidWorks' values."""

    swEndCondBlind = 0
    swEndCondThroughAll = 1
    swEndCondThroughNext = 2
    swEndCondUpToVertex = 3
    swEndCondUpToSurface = 4
    swEndCondOffsetFromSurface = 5
    swEndCondMidPlane = 6
    swEndCondUpToBody = 7
    swEndCondThroughAllBoth = 9
    swEndCondUpToSelection = 10
    swEndCondUpToNext = 11


class swFeatureNameID_e(IntEnum):
    """Some of SolidWorks' values."""

    swFmLocalLPattern = 108
    swFmMirrorComponent = 116


class swFeatureTreeFolderType_e(IntEnum):
    """SolidWorks' values."""

    swFeatureTreeFolder_EmptyBefore = 1
    swFeatureTreeFolder_Containing = 2
    swFeatureTreeFolder_Mold = 3


class swFeatureSuppressionAction_e(IntEnum):
    """SolidWorks' values."""

    swSuppressFeature = 0
    swUnSuppressFeature = 1
    swUnSuppressDependent = 2


class swSketchSlotCreationType_e(IntEnum):
    """SolidWorks' values."""

    swSketchSlotCreationType_line = 0
    swSketchSlotCreationType_center_line = 1
    swSketchSlotCreationType_arc = 2
    swSketchSlotCreationType_3pointarc = 3


class swSketchSlotLengthType_e(IntEnum):
    """SolidWorks' values."""

    swSketchSlotLengthType_CenterCenter = 0
    swSketchSlotLengthType_FullLength = 1


class swLengthUnit_e(IntEnum):
    """SolidWorks' values."""

    swMM = 0
    swCM = 1
    swMETER = 2
    swINCHES = 3
    swFEET = 4
    swFEETINCHES = 5
    swANGSTROM = 6
    swNANOMETER = 7
    swMICRON = 8
    swMIL = 9
    swUIN = 10


class swInsertNewPartErrorCode_e(IntEnum):
    """SolidWorks' values."""

    swInsertNewPartError_ErrorUknown = 0
    swInsertNewPartError_NoError = 1
    swInsertNewPartError_FilePathEmpty = 2
    swInsertNewPartError_FileAlreadyExists = 3
    swInsertNewPartError_FolderDoesNotExist = 4
    swInsertNewPartError_ExtensionNotSldPrt = 5
    swInsertNewPartError_NotAFaceOrPlane = 6
    swInsertNewPartError_CannotSelectFaceOrPlane = 7


class swUserPreferenceStringValue_e(IntEnum):
    """Some of SolidWorks' values."""

    swDefaultTemplatePart = 8
    swDefaultTemplateAssembly = 9


class swSaveAsOptions_e(IntEnum):
    """Some of SolidWorks' values."""

    swSaveAsOptions_Silent = 1
    swSaveAsOptions_Copy = 2


class swRefPlaneReferenceConstraints_e(IntEnum):
    """Some of SolidWorks' values."""

    swRefPlaneReferenceConstraint_Distance = 8
    swRefPlaneReferenceConstraint_OptionFlip = 256


class swAddComponentConfigOptions_e(IntEnum):
    """Some of SolidWorks' values."""

    swAddComponentConfigOptions_CurrentSelectedConfig = 0


class swFileSaveError_e(IntEnum):
    """Some of SolidWorks' values."""

    swGenericSaveError = 1
    swReadOnlySaveError = 2
    swFileNameEmpty = 4
    swFileSaveAsInvalidFileExtension = 256
