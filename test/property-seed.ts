// Runs before every test file: property tests try the same cases in every run of `npm test`, and fresh ones in `npm run fuzz`.
import fc from "fast-check";

/** The seed of `npm test`. A new one makes new cases, so change it only on purpose. */
const FIXED_SEED = 20_261_116;

/** The variable that sets another seed, to try fresh cases or to reproduce a failure. */
export const SEED_VARIABLE = "LONGHAUL_PROPERTY_SEED";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env[SEED_VARIABLE] ?? FIXED_SEED) });
