@echo off
rem Runs Mayfly on Windows: `mayfly serve`, `mayfly --help`. The script `mayfly` is for other systems.
rem
rem mayfly.jar is in the directory of this script, perhaps with a Java of its own in `runtime`.
rem Otherwise it needs JDK 25 or later: in JAVA_HOME, or on the path. The setting `memory` limits the
rem whole process: this script sets the size of the heap, and the program divides the rest.
rem MAYFLY_JAVA_OPTIONS contains additional options for Java.
setlocal EnableExtensions DisableDelayedExpansion

set "home=%~dp0"
set "jar=%home%mayfly.jar"
if not exist "%jar%" set "jar=%home%server\target\mayfly.jar"
if not exist "%jar%" (
  echo mayfly: mayfly.jar must be built first: mvn -Pprogram -pl server -am package>&2
  exit /b 1
)

set "java="
for %%d in ("%home%runtime" "%JAVA_HOME%") do if not defined java call :use_java "%%~d"
if not defined java for /f "delims=" %%j in ('where java 2^>nul') do if not defined java call :use_java "%%~dpj.."
if not defined java (
  echo mayfly: no JDK 25 or later found: install one, or set JAVA_HOME to its directory>&2
  exit /b 1
)

rem From the option, the environment or the file, in this order.
set "memory="
set "share=3"
set "config=mayfly.yaml"
if defined MAYFLY_CONFIG set "config=%MAYFLY_CONFIG%"
if "%MAYFLY_IN_MEMORY%"=="true" set "share=6"
set "cassandra="
if defined MAYFLY_CASSANDRA set "cassandra=1"
set "emulator="
set "data="
if "%MAYFLY_EMULATOR%"=="true" set "emulator=1"
if defined MAYFLY_DATA set "data=1"
call :read_arguments %*
if defined emulator if not defined data set "share=6"
if defined cassandra set "share=6"
if not defined memory set "memory=%MAYFLY_MEMORY%"
if not defined memory if exist "%config%" for /f "tokens=2 delims=: " %%m in ('findstr /b "memory:" "%config%"') do set "memory=%%~m"
call :to_megabytes "%memory%"

rem Three eighths of the memory for the heap (three quarters if the heap contains all data), and an
rem eighth for direct buffers.
set /a heap=megabytes * share / 8
set /a direct=megabytes / 8
rem The driver's copy of Guava uses sun.misc.Unsafe.
set "unsafe="
if defined cassandra set "unsafe=--sun-misc-unsafe-memory-access=allow"
"%java%" -XX:+UseG1GC -Xms16m -Xmx%heap%m -XX:MaxDirectMemorySize=%direct%m -Djdk.nio.maxCachedBufferSize=262144 %unsafe% %MAYFLY_JAVA_OPTIONS% -jar "%jar%" %*
exit /b %ERRORLEVEL%

rem Sets java if the directory has a Java 25 or later.
:use_java
if "%~1"=="" exit /b 0
if not exist "%~1\bin\java.exe" exit /b 0
if not exist "%~1\release" exit /b 0
set "major=0"
for /f tokens^=2^ delims^=.^" %%v in ('findstr /b "JAVA_VERSION=" "%~1\release"') do set "major=%%v"
if %major% geq 25 set "java=%~1\bin\java.exe"
exit /b 0

:read_arguments
if "%~1"=="" exit /b 0
if "%~1"=="--memory" set "memory=%~2"
if "%~1"=="--config" set "config=%~2"
if "%~1"=="--in-memory" set "share=6"
if "%~1"=="--cassandra" set "cassandra=1"
if "%~1"=="--emulator" set "emulator=1"
if "%~1"=="--data" set "data=1"
shift
goto read_arguments

rem Sets megabytes from a size such as 512m or 2g; 1024 if it is not a size.
:to_megabytes
set "megabytes=1024"
set "size=%~1"
if "%size%"=="" exit /b 0
set "unit=%size:~-1%"
set "number=%size:~0,-1%"
if /i "%unit%"=="g" set /a megabytes=number * 1024
if /i "%unit%"=="m" set /a megabytes=number
if /i "%unit%"=="t" set /a megabytes=number * 1024 * 1024
if %megabytes% lss 1 set "megabytes=1024"
exit /b 0
