"""RobotInfo as data: Robot Raconteur's structures, arrays and enumerations, in the notation of its own definitions.

A field is `type name`; `[]` is an array, `{list}` a list, `{string}` a map. The definitions are the truth: where the
standard's documents use other names, these are right. A test compares the tables with the real definitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

YamlValue = Any  # what YAML contains
YamlMap = dict[str, Any]


class FieldType(NamedTuple):
    """The type of a field: a named type, alone or in a container."""

    name: str
    container: str = ""  # "", "array", "list" or "map"

    @property
    def item(self) -> FieldType:
        """What one of several is."""
        return FieldType(self.name)


ROOT = FieldType("RobotInfo")
NUMBERS = {"double": float, "single": float, "uint8": int, "uint16": int, "uint32": int, "bool": bool}

_CONTAINERS = {"[]": "array", "{list}": "list", "{string}": "map"}


def _fields(text: str) -> dict[str, FieldType]:
    pairs = (field.split() for field in text.split(","))
    return {name: _field_type(declared) for declared, name in pairs}


def _field_type(declared: str) -> FieldType:
    for suffix, container in _CONTAINERS.items():
        if declared.endswith(suffix):
            return FieldType(declared.removesuffix(suffix), container)
    return FieldType(declared)


# A structure's fields may be left out.
STRUCTURES: Mapping[str, Mapping[str, FieldType]] = {
    name: _fields(text)
    for name, text in {
        "RobotInfo": "DeviceInfo device_info, RobotTypeCode robot_type, JointInfo{list} joint_info,"
        "RobotKinChainInfo{list} chains, uint32 robot_capabilities, SignalInfo{list} signal_info,"
        "ParameterInfo{list} parameter_info, uint16 config_seqno,"
        "InterpolationMode{list} trajectory_interpolation_modes, varvalue{string} extended",
        "RobotKinChainInfo": "Identifier kin_chain_identifier, Vector3[] H, Vector3[] P,"
        "SpatialInertia[] link_inertias, Identifier{list} link_identifiers, Fiducial{list} link_fiducials,"
        "uint32[] joint_numbers, Pose flange_pose, Identifier flange_identifier, ToolInfo current_tool,"
        "PayloadInfo current_payload, SpatialVelocity tcp_max_velocity,"
        "SpatialAcceleration tcp_max_acceleration, SpatialVelocity tcp_reduced_max_velocity,"
        "SpatialAcceleration tcp_reduced_max_acceleration, string description, varvalue{string} extended",
        "JointInfo": "Identifier joint_identifier, JointType joint_type, JointLimits joint_limits,"
        "JointPositionUnits default_units, JointEffortUnits default_effort_units, bool passive,"
        "varvalue{string} extended",
        "JointLimits": "double lower, double upper, double home, double velocity, double acceleration,"
        "double jerk, double effort, double reduced_velocity, double reduced_acceleration,"
        "double reduced_jerk, double reduced_effort",
        "Identifier": "string name, UUID uuid",
        "DeviceInfo": "Identifier device, Identifier parent_device, Identifier manufacturer, Identifier model,"
        "DeviceOption{list} options, DeviceCapability{list} capabilities, string serial_number,"
        "DeviceClass{list} device_classes, string user_description, ResourceIdentifier description_resource,"
        "string{list} implemented_types, NamedPose device_origin_pose, Identifier{string} associated_devices,"
        "varvalue{string} extended",
        "DeviceOption": "Identifier option_identifier, DeviceSubOption{list} suboptions",
        "DeviceSubOption": "string suboption_name, double suboption_level, varvalue{string} extended",
        "DeviceCapability": "Identifier capability_identifier, DeviceSubCapability{list} subcapabilities",
        "DeviceSubCapability": "string subcapability_name, double subcapability_level, varvalue{string} extended",
        "DeviceClass": "Identifier class_identifier, string{list} subclasses",
        "ResourceIdentifier": "Identifier bucket, string key",
        "NamedPose": "Identifier parent_frame, Identifier frame, Pose pose",
        "SignalInfo": "Identifier signal_identifier, DeviceClass signal_class, SIUnit{list} units,"
        "DataType data_type, SignalType signal_type, SignalAccessLevel access_level, uint32[] address,"
        "string user_description, varvalue min_value, varvalue max_value, varvalue{string} extended",
        "ParameterInfo": "Identifier parameter_identifier, DeviceClass parameter_class, DataType data_type,"
        "SIUnit{list} data_units, string description, varvalue default_value, varvalue min_value,"
        "varvalue max_value, varvalue{string} enum_values, varvalue{string} extended",
        "SIUnit": "string display_units, string encoded_units",
        "DataType": "string name, DataTypeCode type_code, string type_string, ArrayTypeCode array_type_code,"
        "bool array_var_len, uint32[] array_len, ContainerTypeCode container_type_code",
        "ToolInfo": "DeviceInfo device_info, ToolTypeCode tool_type, uint32 tool_capabilities, Transform tcp,"
        "SpatialInertia inertia, Fiducial{list} fiducials, double actuation_time, double close_position,"
        "double open_position, double command_min, double command_max, double command_close,"
        "double command_open, SensorTypeCode{list} sensor_type, double[] sensor_min, double[] sensor_max,"
        "SIUnit{list} sensor_units, varvalue{string} extended",
        "PayloadInfo": "DeviceInfo device_info, SpatialInertia inertia, Fiducial{list} fiducials,"
        "varvalue{string} extended",
        "Fiducial": "Identifier fiducial_marker_class, string fiducial_marker, NamedPose fiducial_pose,"
        "double fiducial_scale, ColorRGBA foreground_color, ColorRGBA background_color",
    }.items()
}

# A named array's fields must all be there.
NAMED_ARRAYS: Mapping[str, Mapping[str, FieldType]] = {
    name: _fields(text)
    for name, text in {
        "Vector3": "double x, double y, double z",
        "Point": "double x, double y, double z",
        "Quaternion": "double w, double x, double y, double z",
        "Pose": "Quaternion orientation, Point position",
        "Transform": "Quaternion rotation, Vector3 translation",
        "SpatialVelocity": "Vector3 angular, Vector3 linear",
        "SpatialAcceleration": "Vector3 angular, Vector3 linear",
        "SpatialInertia": "double m, Vector3 com, double ixx, double ixy, double ixz, double iyy, double iyz,"
        "double izz",
        "ColorRGBA": "double r, double g, double b, double a",
    }.items()
}

# An enumeration's values are written by name.
ENUMS: Mapping[str, tuple[str, ...]] = {
    name: tuple(text.split())
    for name, text in {
        "RobotTypeCode": "unknown serial dual_arm differential_drive planar floating freeform other",
        "JointType": "unknown revolute continuous prismatic wheel screw other revolute2 universal ball planar"
        " floating other_compound fixed",
        "JointPositionUnits": "implicit meter radian degree ticks_lin ticks_rot nanoticks_lin nanoticks_rot",
        "JointEffortUnits": "implicit newton newton_meter ampere volt pascal coulomb tesla weber meter_second2"
        " radian_second2 degree_second2",
        "InterpolationMode": "default joint linear cylindrical spherical joint_cubic_spline cubic_spline custom",
        "SignalType": "unknown digital analog digital_port analog_port vector3 vector6 wrench pose transform other",
        "SignalAccessLevel": "undefined internal restricted readonly all",
        "DataTypeCode": "void_c double_c single_c int8_c uint8_c int16_c uint16_c int32_c uint32_c int64_c uint64_c"
        " string_c cdouble_c csingle_c bool_c structure_c vector_c dictionary_c object_c varvalue_c varobject_c"
        " list_c pod_c pod_array_c pod_multidimarray_c enum_c namedtype_c namedarray_c namedarray_array_c"
        " namedarray_multidimarray_c multidimarray_c",
        "ArrayTypeCode": "none_c array_c multidimarray_c",
        "ContainerTypeCode": "none_c list_c map_int32_c map_string_c generator_c",
        "ToolTypeCode": "unknown basic_gripper basic_continuous_gripper pneumatic_gripper electric_gripper"
        " vacuum_gripper soft_gripper welder hand palletizer other",
        "SensorTypeCode": "unknown generic_digital generic_analog pushbutton dial limitswitch infrared pressure vacuum"
        " temperature humidity level contact ultrasonic magnetic encoder potentiometer resolver"
        " linear_encoder linear_potentiometer lvds accelerometer gyroscopic velocity angular_velocity"
        " spatial_velocity torque force proximity voltage current laser flow pyrometer forcetorque"
        " light_color light_intensity object_color altitude generic_word generic_vector position angle"
        " acceleration angular_acceleration inclinometer tilt motion radiation photoelectric leak"
        " chemical particle metal smoke flame vibration mark contamination inertial magnetometer"
        " navigation tactile meteorological horizon sun star moon attitude airspeed distance heading"
        " safety door security other vendor_defined",
        # These two are sums of flags, written as lists of names.
        "RobotCapabilities": "unknown jog_command trajectory_command position_command velocity_command"
        " homing_command software_reset_errors software_enable interpolated_trajectory raster_trajectory"
        " trajectory_queueing speed_ratio",
        "ToolCapabilities": "unknown open_close_command continuous_command homing_command software_reset_errors"
        " software_enable sensor_feedback",
    }.items()
}

# Where files differ from the definitions: flags are lists of names, and one key exists only in files.
IN_FILES: Mapping[tuple[str, str], FieldType] = {
    ("RobotInfo", "robot_capabilities"): FieldType("RobotCapabilities", "list"),
    ("ToolInfo", "tool_capabilities"): FieldType("ToolCapabilities", "list"),
    ("DeviceInfo", "tags"): FieldType("Identifier", "list"),
}


def fields_in_files(name: str) -> dict[str, FieldType]:
    """The fields that a file may give a structure."""
    own = {field: kind for (structure, field), kind in IN_FILES.items() if structure == name}
    return {**STRUCTURES[name], **own}
