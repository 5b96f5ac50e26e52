import fc from 'fast-check';

/** The same random cases on every run: what fails once fails again. CTXSIM_SEED tries others. */
fc.configureGlobal({ seed: Number(process.env.CTXSIM_SEED ?? 1) });
