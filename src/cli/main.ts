#!/usr/bin/env node
import { homedir } from 'node:os';
import { exitCodes } from '../errors.ts';
import { processIo } from './io.ts';
import { run } from './program.ts';

let isAnswered = false;
// Code of the user's own runs here: one that leaves, or waits for what never comes, must not look like a check that passed.
process.once('exit', () => {
  if (isAnswered) return;
  process.exitCode = exitCodes.couldNotAnswer;
  process.stderr.write(
    'ctxsim: the run ended before it was done\n  Does a policy of your own end the process, or wait for ever where it is loaded?\n',
  );
});
process.exitCode = await run(processIo(process, homedir()));
isAnswered = true;
