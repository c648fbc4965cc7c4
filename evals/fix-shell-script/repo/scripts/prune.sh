#!/bin/sh
# Keeps the newest COUNT files of FOLDER whose names end in .bak, and removes the others.
# Usage: prune.sh FOLDER COUNT
set -eu
folder=$1
count=$2
cd $folder
for file in $(ls -t *.bak | tail -n +$count); do
  rm $file
done
