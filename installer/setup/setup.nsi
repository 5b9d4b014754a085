; The set-up program: lays down the private Python, writes the registry, and has a foreign program create the add-in.
; Exit codes: 0 done, 1 cancelled, 2 failed, 3 in use, 4 not this folder, 5 no administrator.
Unicode true
Target amd64-unicode
!ifdef FAST
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
!endif
RequestExecutionLevel admin
ManifestDPIAware true

!include "MUI2.nsh"
!include "LogicLib.nsh"
!include "FileFunc.nsh"
!include "${REGISTRY}"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\swgrm"

Name "swgrm ${VERSION}"
OutFile "${PROGRAM}"
InstallDir "$PROGRAMFILES64\swgrm"
ShowInstDetails show
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "swgrm"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Set-up program of swgrm, an add-in for SolidWorks"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEPAGE_TITLE "swgrm ${VERSION}"
!define MUI_WELCOMEPAGE_TEXT "This installs swgrm, which turns a SolidWorks assembly into a robot model.$\r$\n$\r$\nIt contains its own Python and needs no internet connection. Close SolidWorks before you continue."
!define MUI_FINISHPAGE_TITLE "swgrm is installed"
!define MUI_FINISHPAGE_TEXT "$Found$\r$\n$\r$\nWhat to do next:$\r$\n1. Start SolidWorks and open an assembly.$\r$\n2. Choose the tab swgrm, and press Export GRM.$\r$\n3. The robot is in a folder beside the assembly.$\r$\n$\r$\nIf there is no tab, switch swgrm on under Tools > Add-Ins."
!define MUI_FINISHPAGE_NOAUTOCLOSE
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Var Found ; the sentence about SolidWorks

!macro Fail CODE TEXT
  DetailPrint "${TEXT}"
  MessageBox MB_OK|MB_ICONSTOP "${TEXT}" /SD IDOK
  SetErrorLevel ${CODE}
  Quit
!macroend

; A loaded DLL cannot be opened for writing.
!macro StopIfInUse
  ${If} ${FileExists} "$INSTDIR\_ctypes.pyd"
    ClearErrors
    FileOpen $0 "$INSTDIR\_ctypes.pyd" a
    ${If} ${Errors}
      !insertmacro Fail 3 "SolidWorks has swgrm loaded, or swgrm is at work. Close SolidWorks and start this again."
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

!macro RemoveFiles
  RMDir /r "$INSTDIR\Lib"
  RMDir /r "$INSTDIR\probe"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\*.pyd"
  Delete "$INSTDIR\*.dll"
  Delete "$INSTDIR\python*"
  Delete "$INSTDIR\swgrm.cmd"
!macroend

!macro NeedAdministrator
  SetRegView 64
  SetShellVarContext current
  UserInfo::GetAccountType
  Pop $0
  ${If} $0 != "Admin"
    !insertmacro Fail 5 "swgrm registers itself for the whole machine, which takes an administrator. Start this as administrator."
  ${EndIf}
!macroend

Function .onInit
  !insertmacro NeedAdministrator
  ; Where it is already, unless /D= names another folder.
  ReadRegStr $0 HKLM "${UNINSTALL}" "InstallLocation"
  ${If} $0 != ""
  ${AndIf} $INSTDIR == "$PROGRAMFILES64\swgrm"
    StrCpy $INSTDIR $0
  ${EndIf}
FunctionEnd

Function FindSolidWorks
  StrCpy $Found ""
  ${For} $1 29 60 ; the year less 1992
    ReadRegStr $0 HKCR "SldWorks.Application.$1\CLSID" ""
    ${If} $0 != ""
      IntOp $2 $1 + 1992
      StrCpy $Found "$Found $2"
    ${EndIf}
  ${Next}
  ${If} $Found == ""
    StrCpy $Found "No SolidWorks 2021 or newer was found on this machine. swgrm will be available in it once it is installed."
  ${Else}
    StrCpy $Found "swgrm is installed for SolidWorks$Found."
  ${EndIf}
  DetailPrint "$Found"
FunctionEnd

; A folder that holds other things is none of ours to clean.
Function StopIfForeign
  ReadRegStr $0 HKLM "${UNINSTALL}" "InstallLocation"
  ${If} $0 == $INSTDIR
  ${OrIf} ${FileExists} "$INSTDIR\swgrm.cmd"
    Return
  ${EndIf}
  ${DirState} "$INSTDIR" $0
  ${If} $0 == 1
    !insertmacro Fail 4 "$INSTDIR holds other files. Choose an empty folder."
  ${EndIf}
FunctionEnd

Section "swgrm"
  Call StopIfForeign
  !insertmacro StopIfInUse
  !insertmacro RemoveFiles
  SetOutPath "$INSTDIR"
  ClearErrors
  File /r "${PAYLOAD}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  !insertmacro WriteRegistry
  WriteRegStr HKLM "${UNINSTALL}" "DisplayName" "swgrm"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayIcon" "$INSTDIR\Lib\site-packages\swgrm_addin\inside\icons\swgrm.ico"
  WriteRegStr HKLM "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKLM "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL}" "NoRepair" 1
  ${If} ${Errors}
    !insertmacro Fail 2 "Not everything could be written to $INSTDIR. Is the disk full?"
  ${EndIf}
  DetailPrint "Creating the add-in in a program that is not Python"
  ExecWait '"$INSTDIR\probe\probe.exe" ${CLSID}' $0
  ${If} $0 != 0
    !insertmacro Fail 2 "The add-in was installed, but Windows does not create it (code $0). $INSTDIR\swgrm.cmd doctor shows the reason."
  ${EndIf}
  Call FindSolidWorks
  SetErrorLevel 0
SectionEnd

Function un.onInit
  !insertmacro NeedAdministrator
FunctionEnd

Section "Uninstall"
  !insertmacro StopIfInUse
  !insertmacro RemoveFiles
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  !insertmacro RemoveRegistry
  DeleteRegKey HKLM "${UNINSTALL}"
  ; What the add-in wrote for each user: its log and memory, and whether it starts with SolidWorks.
  RMDir /r "$LOCALAPPDATA\swgrm"
  FindFirst $0 $1 "$PROFILE\..\*"
  ${DoWhile} $1 != ""
    ${If} $1 != "."
    ${AndIf} $1 != ".."
      RMDir /r "$PROFILE\..\$1\AppData\Local\swgrm"
    ${EndIf}
    FindNext $0 $1
  ${Loop}
  FindClose $0
  StrCpy $2 0
  ${Do}
    EnumRegKey $1 HKU "" $2
    ${If} $1 == ""
      ${ExitDo}
    ${EndIf}
    DeleteRegKey HKU "$1\Software\SolidWorks\AddInsStartup\${CLSID}"
    IntOp $2 $2 + 1
  ${Loop}
SectionEnd
