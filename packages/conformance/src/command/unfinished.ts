import { writeSync } from 'node:fs';
import { EXIT } from './io.js';

const STDERR = 2;

/**
 * A driver that ends the program, as by `process.exit(0)`, would end it in green: what was under way is told, and the
 * exit code is that of a failure. Gives the function that says the command came to its own end.
 */
export function watchEnd(): () => void {
  const early = (code: number): void => {
    process.exitCode = EXIT.failed;
    const how = `the program was ended from within, with the code ${code}, before all was tested`;
    writeSync(
      STDERR,
      `${how}\nlook for process.exit in the driver and its initializer, in what ran last above\n`,
    );
  };
  process.once('exit', early);
  return () => void process.off('exit', early);
}
