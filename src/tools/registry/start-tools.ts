import { glob } from '../search/glob.ts';
import { grep } from '../search/grep.ts';
import { multiRead } from '../search/multi-read.ts';
import { read } from '../search/read.ts';
import { bash } from '../shell/bash.ts';
import type { Tool } from '../tool.ts';

/** Tools for the first look around, loaded at start. */
export const startTools: readonly Tool[] = [read, multiRead, glob, grep, bash];
