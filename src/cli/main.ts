#!/usr/bin/env node
import { homedir } from 'node:os';
import { exitCodes } from '../errors.ts';
import { processIo, reportError } from './io.ts';
import { run } from './program.ts';

const io = processIo(process, homedir());
let isAnswered = false;
let stray: number | undefined;
// Policies of the user's own run here. What one throws when nobody waits for it must not end with the status of a failed check.
process.on('uncaughtException', (error) => {
  stray ??= reportError(io, error);
});
// A policy that ends the process, or waits for what never comes, must not look like a check that passed.
process.once('exit', () => {
  if (stray !== undefined) process.exitCode = stray;
  if (isAnswered || stray !== undefined) return;
  process.exitCode = exitCodes.couldNotAnswer;
  process.stderr.write(
    'ctxsim: the run ended before it was done\n  Does a policy of your own end the process, or wait for ever where it is loaded?\n',
  );
});
process.exitCode = await run(io);
isAnswered = true;
