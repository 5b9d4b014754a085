/* Creates the class of a CLSID in this process, which is not Python, as SolidWorks is not; says what COM said.
 *
 *     probe.exe {CLSID}      exit code 0: created, and let go of
 */
#define COBJMACROS
#include <windows.h>
#include <ole2.h>
#include <stdio.h>

int main(void) {
    int count;
    WCHAR **words = CommandLineToArgvW(GetCommandLineW(), &count);
    IDispatch *object = NULL;
    CLSID class;
    OleInitialize(NULL);
    HRESULT result = count == 2 ? CLSIDFromString(words[1], &class) : E_INVALIDARG;
    if (SUCCEEDED(result)) result = CoCreateInstance(&class, NULL, CLSCTX_INPROC_SERVER, &IID_IDispatch, (void **)&object);
    printf("0x%08lX\n", (unsigned long)result);
    if (object) IDispatch_Release(object);
    OleUninitialize();
    return FAILED(result);
}
