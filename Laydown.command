#!/bin/sh
# Double-click to start Laydown on a Mac. Laydown.desktop does it on Linux, Laydown.bat on Windows.
cd "$(dirname "$0")" || exit
# Set, it keeps Python from finding the app in this folder.
unset PYTHONSAFEPATH
if ! command -v python3 >/dev/null; then
  echo "Laydown needs Python 3.11 or newer, and there is no python3 here: install it."
elif python3 -m webapp --lan --open "$@"; then
  exit
fi
printf 'Press Enter to close this window. '
read -r _
exit 1
