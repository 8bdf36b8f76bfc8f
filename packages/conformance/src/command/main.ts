/** The `pagefault-conform` command: connects it to this operating-system process. */
import { EXIT } from './io.js';
import { run } from './program.js';
import { watchEnd } from './unfinished.js';

const end = watchEnd();

// The reader of a pipe went away, as `head` does: there is nobody to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  end();
  process.exit(EXIT.passed);
});

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  env: process.env,
});

// A driver under test may have left something open, which is in the report; it shall not keep the command from ending.
end();
process.stdout.write('', () => process.exit(code));
