import { fileURLToPath } from 'node:url';

/** Takes the place of the engine that runs rules, which few machines have. */
export const ENGINE = fileURLToPath(new URL('./stand-in-engine.sh', import.meta.url));

/** Settings under which a server runs rules on any machine. */
export const ENGINE_SETTINGS = { PARAPET_SEMGREP: ENGINE, PARAPET_SANDBOX: 'weak' };
