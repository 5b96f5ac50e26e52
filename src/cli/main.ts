#!/usr/bin/env node
import { homedir } from 'node:os';
import { processIo } from './io.ts';
import { run } from './program.ts';

process.exitCode = await run(processIo(process, homedir()));
