/* A host that is not Python, as SolidWorks is not: loads the add-in by its CLSID, and pumps messages while it waits.
 *
 * One command per line on standard input, one answer per line on standard output, in UTF-8:
 *   app PROGID local|inproc       create the application object             app HRESULT
 *   create CLSID                  create the add-in, in this process        create HRESULT
 *   connect COOKIE                ISwAddin.ConnectToSW(app, COOKIE)         connect HRESULT VARIANT_BOOL
 *   disconnect                    ISwAddin.DisconnectFromSW()               disconnect HRESULT VARIANT_BOOL
 *   control PROGID                create an object that a test controls     control HRESULT
 *   fetch NAME                    control.NAME() is the callbacks object    fetch HRESULT
 *   call OBJECT NAME[\tARG]... IDispatch, by name, with strings          call HRESULT RESULT
 *   pump MILLISECONDS             let messages be handled                   pump
 *   modules                       the DLLs in this process                  module PATH ..., modules COUNT
 *   release OBJECT                let go of it                              release REFERENCES-LEFT
 *   (an OBJECT is app, addin, control or callbacks)
 *   quit                          (or the end of the input)
 */
#define COBJMACROS
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <ole2.h>
#include <stdio.h>
#include <tlhelp32.h>

#define LINE_LENGTH 4096
#define ARGUMENTS 8

static const IID IID_ISwAddin = {0xDA306A0D, 0xEAC5, 0x4406, {0x86, 0x10, 0xB1, 0xDA, 0x80, 0x5D, 0x92, 0x70}};

typedef struct ISwAddin ISwAddin;
typedef struct {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(ISwAddin *, REFIID, void **);
    ULONG(STDMETHODCALLTYPE *AddRef)(ISwAddin *);
    ULONG(STDMETHODCALLTYPE *Release)(ISwAddin *);
    HRESULT(STDMETHODCALLTYPE *ConnectToSW)(ISwAddin *, IDispatch *app, LONG cookie, VARIANT_BOOL *result);
    HRESULT(STDMETHODCALLTYPE *DisconnectFromSW)(ISwAddin *, VARIANT_BOOL *result);
} ISwAddinVtbl;
struct ISwAddin {
    const ISwAddinVtbl *lpVtbl;
};

static IDispatch *app, *control, *callbacks;
static IUnknown *addin;

static void say(const char *what, HRESULT result, const WCHAR *more) {
    char text[4 * LINE_LENGTH];
    if (!WideCharToMultiByte(CP_UTF8, 0, more, -1, text, sizeof text, NULL, NULL))
        strcpy(text, "(too long)");
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    printf("%s 0x%08lX %s\n", what, (unsigned long)result, text);
    fflush(stdout);
}

/* Cuts the next word, which may be empty, off the rest; NULL when there is no rest. */
static WCHAR *next_word(WCHAR **rest, WCHAR end) {
    WCHAR *word = *rest, *stop = word ? wcschr(word, end) : NULL;
    if (stop) *stop = 0;
    *rest = stop ? stop + 1 : NULL;
    return word;
}

static void pump(DWORD milliseconds) {
    ULONGLONG end = GetTickCount64() + milliseconds;
    do {
        MSG message;
        while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE)) {
            TranslateMessage(&message);
            DispatchMessageW(&message);
        }
        MsgWaitForMultipleObjects(0, NULL, FALSE, 10, QS_ALLINPUT);
    } while (GetTickCount64() < end);
}

/* One line of input, without its end; messages are handled until it has come. FALSE at the end of the input. */
static BOOL read_line(WCHAR *line) {
    static char text[LINE_LENGTH];
    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    DWORD length = 0, waiting, got;
    while (length < sizeof text - 1) {
        if (!PeekNamedPipe(input, NULL, 0, NULL, &waiting, NULL)) return FALSE;
        if (!waiting) {
            pump(0);
            continue;
        }
        if (!ReadFile(input, text + length, 1, &got, NULL) || !got) return FALSE;
        if (text[length] == '\n') break;
        if (text[length] != '\r') length++;
    }
    text[length] = 0;
    return MultiByteToWideChar(CP_UTF8, 0, text, -1, line, LINE_LENGTH) > 0;
}

static void create(const char *what, IDispatch **object, WCHAR *progid, const WCHAR *where) {
    CLSID class;
    HRESULT result = CLSIDFromProgID(progid, &class);
    if (SUCCEEDED(result)) {
        DWORD context = wcscmp(where, L"inproc") ? CLSCTX_LOCAL_SERVER : CLSCTX_INPROC_SERVER;
        result = CoCreateInstance(&class, NULL, context, &IID_IDispatch, (void **)object);
    }
    say(what, result, L"");
}

static void create_addin(WCHAR *text) {
    CLSID class;
    HRESULT result = CLSIDFromString(text, &class);
    if (SUCCEEDED(result))
        result = CoCreateInstance(&class, NULL, CLSCTX_INPROC_SERVER, &IID_IUnknown, (void **)&addin);
    say("create", result, L"");
}

static void connect_addin(BOOL connect, LONG cookie) {
    const char *what = connect ? "connect" : "disconnect";
    ISwAddin *entry = NULL;
    VARIANT_BOOL answer = VARIANT_FALSE;
    WCHAR text[16];
    HRESULT result = addin ? IUnknown_QueryInterface(addin, &IID_ISwAddin, (void **)&entry) : E_POINTER;
    if (SUCCEEDED(result)) {
        result = connect ? entry->lpVtbl->ConnectToSW(entry, app, cookie, &answer)
                         : entry->lpVtbl->DisconnectFromSW(entry, &answer);
        entry->lpVtbl->Release(entry);
    }
    swprintf(text, 16, L"%d", answer);
    say(what, result, text);
}

static HRESULT invoke(IUnknown *object, WCHAR *name, VARIANT *arguments, UINT count, VARIANT *answer, EXCEPINFO *fault) {
    IDispatch *dispatch = NULL;
    DISPID id;
    HRESULT result = object ? IUnknown_QueryInterface(object, &IID_IDispatch, (void **)&dispatch) : E_POINTER;
    if (FAILED(result)) return result;
    result = IDispatch_GetIDsOfNames(dispatch, &IID_NULL, &name, 1, LOCALE_USER_DEFAULT, &id);
    if (SUCCEEDED(result)) {
        DISPPARAMS parameters = {arguments, NULL, count, 0};
        result = IDispatch_Invoke(dispatch, id, &IID_NULL, LOCALE_USER_DEFAULT, DISPATCH_METHOD, &parameters, answer,
                                  fault, NULL);
    }
    IDispatch_Release(dispatch);
    return result;
}

static void call(IUnknown *object, WCHAR *words) {
    VARIANT arguments[ARGUMENTS], answer;
    EXCEPINFO fault = {0};
    UINT count = 0;
    WCHAR *name = next_word(&words, L'\t');
    VariantInit(&answer);
    for (WCHAR *word; count < ARGUMENTS && (word = next_word(&words, L'\t')); count++) {
        memmove(arguments + 1, arguments, count * sizeof *arguments); /* the last argument comes first */
        V_VT(arguments) = VT_BSTR;
        V_BSTR(arguments) = SysAllocString(word);
    }
    HRESULT result = name ? invoke(object, name, arguments, count, &answer, &fault) : E_INVALIDARG;
    HRESULT readable = VariantChangeType(&answer, &answer, 0, VT_BSTR);
    say("call", result, fault.bstrDescription ? fault.bstrDescription : SUCCEEDED(readable) ? V_BSTR(&answer) : L"");
    while (count--) VariantClear(arguments + count);
    VariantClear(&answer);
    SysFreeString(fault.bstrDescription);
    SysFreeString(fault.bstrSource);
    SysFreeString(fault.bstrHelpFile);
}

static void fetch(WCHAR *name) {
    VARIANT answer;
    EXCEPINFO fault = {0};
    VariantInit(&answer);
    HRESULT result = invoke((IUnknown *)control, name, NULL, 0, &answer, &fault);
    if (SUCCEEDED(result)) result = VariantChangeType(&answer, &answer, 0, VT_DISPATCH);
    if (SUCCEEDED(result) && V_DISPATCH(&answer))
        result = IDispatch_QueryInterface(V_DISPATCH(&answer), &IID_IDispatch, (void **)&callbacks);
    VariantClear(&answer);
    say("fetch", result, L"");
}

static void list_modules(void) {
    MODULEENTRY32W module = {.dwSize = sizeof module};
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, GetCurrentProcessId());
    WCHAR text[16];
    int count = 0;
    for (BOOL more = Module32FirstW(snapshot, &module); more; more = Module32NextW(snapshot, &module), count++)
        say("module", S_OK, module.szExePath);
    CloseHandle(snapshot);
    swprintf(text, 16, L"%d", count);
    say("modules", S_OK, text);
}

static void release(IUnknown **object) {
    WCHAR text[16];
    swprintf(text, 16, L"%lu", *object ? IUnknown_Release(*object) : 0);
    *object = NULL;
    say("release", S_OK, text);
}

static IUnknown **named(const WCHAR *name) {
    if (!wcscmp(name, L"app")) return (IUnknown **)&app;
    if (!wcscmp(name, L"control")) return (IUnknown **)&control;
    if (!wcscmp(name, L"callbacks")) return (IUnknown **)&callbacks;
    return &addin;
}

static void obey(WCHAR *line) {
    WCHAR *rest = line, *verb = next_word(&rest, L' '), *word = next_word(&rest, L' ');
    if (!wcscmp(verb, L"disconnect")) connect_addin(FALSE, 0);
    else if (!wcscmp(verb, L"modules")) list_modules();
    else if (!word) say("what", E_INVALIDARG, verb);
    else if (!wcscmp(verb, L"app")) create("app", &app, word, rest ? rest : L"local");
    else if (!wcscmp(verb, L"control")) create("control", &control, word, L"local");
    else if (!wcscmp(verb, L"fetch")) fetch(word);
    else if (!wcscmp(verb, L"create")) create_addin(word);
    else if (!wcscmp(verb, L"connect")) connect_addin(TRUE, wcstol(word, NULL, 10));
    else if (!wcscmp(verb, L"call")) call(*named(word), rest);
    else if (!wcscmp(verb, L"release")) release(named(word));
    else if (!wcscmp(verb, L"pump")) pump(wcstoul(word, NULL, 10)), say("pump", S_OK, L"");
    else say("what", E_INVALIDARG, verb);
}

int main(void) {
    static WCHAR line[LINE_LENGTH];
    OleInitialize(NULL);
    while (read_line(line) && wcscmp(line, L"quit")) obey(line);
    if (callbacks) IDispatch_Release(callbacks);
    if (control) IDispatch_Release(control);
    if (addin) IUnknown_Release(addin);
    if (app) IDispatch_Release(app);
    OleUninitialize();
    return 0;
}
