/**
 * Property tests draw from one fixed seed, so that a commit that is green stays green, and a failure is the fault of
 * what was changed. `PAGEFAULT_SEED` draws others; `npm run soak` takes a new one each time, and prints it.
 */
import fc from 'fast-check';

const { PAGEFAULT_SEED = '1' } = process.env;

fc.configureGlobal({ seed: Number(PAGEFAULT_SEED) });
