from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AgentDefinition(_message.Message):
    __slots__ = ("name", "display_name", "description", "input_config", "output_config", "prompt_config", "model_config", "tool_config", "run_config")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    INPUT_CONFIG_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_CONFIG_FIELD_NUMBER: _ClassVar[int]
    PROMPT_CONFIG_FIELD_NUMBER: _ClassVar[int]
    MODEL_CONFIG_FIELD_NUMBER: _ClassVar[int]
    TOOL_CONFIG_FIELD_NUMBER: _ClassVar[int]
    RUN_CONFIG_FIELD_NUMBER: _ClassVar[int]
    name: str
    display_name: str
    description: str
    input_config: InputConfig
    output_config: OutputConfig
    prompt_config: PromptConfig
    model_config: ModelConfig
    tool_config: ToolConfig
    run_config: RunConfig
    def __init__(self, name: _Optional[str] = ..., display_name: _Optional[str] = ..., description: _Optional[str] = ..., input_config: _Optional[_Union[InputConfig, _Mapping]] = ..., output_config: _Optional[_Union[OutputConfig, _Mapping]] = ..., prompt_config: _Optional[_Union[PromptConfig, _Mapping]] = ..., model_config: _Optional[_Union[ModelConfig, _Mapping]] = ..., tool_config: _Optional[_Union[ToolConfig, _Mapping]] = ..., run_config: _Optional[_Union[RunConfig, _Mapping]] = ...) -> None: ...

class InputArgument(_message.Message):
    __slots__ = ("description", "type", "required")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    description: str
    type: str
    required: bool
    def __init__(self, description: _Optional[str] = ..., type: _Optional[str] = ..., required: _Optional[bool] = ...) -> None: ...

class InputConfig(_message.Message):
    __slots__ = ("inputs",)
    class InputsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: InputArgument
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[InputArgument, _Mapping]] = ...) -> None: ...
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    inputs: _containers.MessageMap[str, InputArgument]
    def __init__(self, inputs: _Optional[_Mapping[str, InputArgument]] = ...) -> None: ...

class OutputConfig(_message.Message):
    __slots__ = ("output_name", "description", "schema")
    OUTPUT_NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    output_name: str
    description: str
    schema: str
    def __init__(self, output_name: _Optional[str] = ..., description: _Optional[str] = ..., schema: _Optional[str] = ...) -> None: ...

class PromptConfig(_message.Message):
    __slots__ = ("query", "system_prompt")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_PROMPT_FIELD_NUMBER: _ClassVar[int]
    query: str
    system_prompt: str
    def __init__(self, query: _Optional[str] = ..., system_prompt: _Optional[str] = ...) -> None: ...

class ModelConfig(_message.Message):
    __slots__ = ("model", "temperature", "top_p", "thinking_budget")
    MODEL_FIELD_NUMBER: _ClassVar[int]
    TEMPERATURE_FIELD_NUMBER: _ClassVar[int]
    TOP_P_FIELD_NUMBER: _ClassVar[int]
    THINKING_BUDGET_FIELD_NUMBER: _ClassVar[int]
    model: str
    temperature: float
    top_p: float
    thinking_budget: int
    def __init__(self, model: _Optional[str] = ..., temperature: _Optional[float] = ..., top_p: _Optional[float] = ..., thinking_budget: _Optional[int] = ...) -> None: ...

class ToolConfig(_message.Message):
    __slots__ = ("tools",)
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    tools: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tools: _Optional[_Iterable[str]] = ...) -> None: ...

class RunConfig(_message.Message):
    __slots__ = ("max_time_minutes", "max_turns")
    MAX_TIME_MINUTES_FIELD_NUMBER: _ClassVar[int]
    MAX_TURNS_FIELD_NUMBER: _ClassVar[int]
    max_time_minutes: int
    max_turns: int
    def __init__(self, max_time_minutes: _Optional[int] = ..., max_turns: _Optional[int] = ...) -> None: ...
