@echo off
rem Double-click to start Laydown on Windows.
cd /d "%~dp0"
rem Set, it keeps Python from finding the app in this folder.
set PYTHONSAFEPATH=
set PYTHON=python
where py >nul 2>nul && set PYTHON=py -3
%PYTHON% -m webapp --lan --open %*
if errorlevel 1 pause
