/* The part of XLA's foreign function interface (FFI) that the handlers use.
 *
 * Names, order and types are those of XLA's C API, versions 0.1 to 0.4: xla/ffi/api/c_api.h of
 * jaxlib 0.4.38 to 0.11. XLA only appends fields, so structs may end early here. A test compares
 * them with the header of the installed jaxlib. Enumerations are int32_t. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { XLA_FFI_Extension_Metadata = 1 };
enum { XLA_FFI_ExecutionStage_EXECUTE = 3 };
enum { XLA_FFI_DataType_S64 = 5 };
enum { XLA_FFI_AttrType_SCALAR = 3, XLA_FFI_AttrType_STRING = 4 };
enum {
    XLA_FFI_Error_Code_INVALID_ARGUMENT = 3,
    XLA_FFI_Error_Code_NOT_FOUND = 5,
    XLA_FFI_Error_Code_RESOURCE_EXHAUSTED = 8,
    XLA_FFI_Error_Code_INTERNAL = 13,
};

/* Calls may be recorded into a CUDA graph and replayed. */
enum { XLA_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1 };

typedef struct XLA_FFI_Error XLA_FFI_Error;                       /* opaque; NULL is success */
typedef struct XLA_FFI_ExecutionContext XLA_FFI_ExecutionContext; /* opaque */

/* Head of an extension of a call frame. */
typedef struct XLA_FFI_Extension_Base {
    size_t struct_size;
    int32_t type;
    struct XLA_FFI_Extension_Base *next;
} XLA_FFI_Extension_Base;

typedef struct XLA_FFI_Api_Version {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    int32_t major_version;
    int32_t minor_version;
} XLA_FFI_Api_Version;

/* What a handler tells XLA about itself. */
typedef struct XLA_FFI_Metadata {
    size_t struct_size;
    XLA_FFI_Api_Version api_version;
    uint32_t traits;
} XLA_FFI_Metadata;

typedef struct XLA_FFI_Metadata_Extension {
    XLA_FFI_Extension_Base extension_base;
    XLA_FFI_Metadata *metadata;
} XLA_FFI_Metadata_Extension;

/* An argument or result: a dense, row-major array. */
typedef struct XLA_FFI_Buffer {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    int32_t dtype;
    void *data;
    int64_t rank;
    int64_t *dims;
} XLA_FFI_Buffer;

/* A string attribute, without a terminating zero. */
typedef struct XLA_FFI_ByteSpan {
    const char *ptr;
    size_t len;
} XLA_FFI_ByteSpan;

/* A numeric attribute. */
typedef struct XLA_FFI_Scalar {
    int32_t dtype;
    void *value;
} XLA_FFI_Scalar;

typedef struct XLA_FFI_Args {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    int64_t size;
    int32_t *types;
    void **args;
} XLA_FFI_Args;

typedef struct XLA_FFI_Rets {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    int64_t size;
    int32_t *types;
    void **rets;
} XLA_FFI_Rets;

/* Attributes, sorted by name. */
typedef struct XLA_FFI_Attrs {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    int64_t size;
    int32_t *types;
    XLA_FFI_ByteSpan **names;
    void **attrs;
} XLA_FFI_Attrs;

typedef struct XLA_FFI_Error_Create_Args {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    const char *message;
    int32_t errc;
} XLA_FFI_Error_Create_Args;

typedef struct XLA_FFI_Error_Destroy_Args {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    XLA_FFI_Error *error;
} XLA_FFI_Error_Destroy_Args;

typedef struct XLA_FFI_Stream_Get_Args {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    XLA_FFI_ExecutionContext *ctx;
    void *stream; /* set by XLA */
} XLA_FFI_Stream_Get_Args;

typedef struct XLA_FFI_ThreadPool_Schedule_Args {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    XLA_FFI_ExecutionContext *ctx;
    void (*task)(void *data);
    void *data;
} XLA_FFI_ThreadPool_Schedule_Args;

/* XLA's functions; those of type `void *` are not used. */
typedef struct XLA_FFI_Api {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    XLA_FFI_Api_Version api_version;
    void *internal_api;
    XLA_FFI_Error *(*XLA_FFI_Error_Create)(XLA_FFI_Error_Create_Args *);
    void *XLA_FFI_Error_GetMessage;
    void (*XLA_FFI_Error_Destroy)(XLA_FFI_Error_Destroy_Args *);
    void *XLA_FFI_Handler_Register;
    XLA_FFI_Error *(*XLA_FFI_Stream_Get)(XLA_FFI_Stream_Get_Args *);
    void *XLA_FFI_Type_Register;
    void *XLA_FFI_ExecutionContext_Get;
    void *XLA_FFI_State_Set;
    void *XLA_FFI_State_Get;
    void *XLA_FFI_DeviceMemory_Allocate;
    void *XLA_FFI_DeviceMemory_Free;
    XLA_FFI_Error *(*XLA_FFI_ThreadPool_Schedule)(XLA_FFI_ThreadPool_Schedule_Args *);
} XLA_FFI_Api;

/* What a handler is called with. */
typedef struct XLA_FFI_CallFrame {
    size_t struct_size;
    XLA_FFI_Extension_Base *extension_start;
    const XLA_FFI_Api *api;
    XLA_FFI_ExecutionContext *ctx;
    int32_t stage;
    XLA_FFI_Args args;
    XLA_FFI_Rets rets;
    XLA_FFI_Attrs attrs;
} XLA_FFI_CallFrame;

/* Size of a struct up to its last field, without padding, as XLA counts it. */
#define XLA_FFI_STRUCT_SIZE(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))
