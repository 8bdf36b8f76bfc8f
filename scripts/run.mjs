// The one entry behind `npm start`, `npm test` and the other npm scripts: it needs Node and npm, nothing else.
// This file uses only old syntax, so that an old Node reaches the line that tells it so.

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Pagefault needs Node 20.19 or newer; this is ${process.version}. Install a newer Node and try again.`,
  );
  process.exitCode = 1;
} else {
  import('./tasks.mjs')
    .then(({ runTask }) => runTask(process.argv[2], process.argv.slice(3)))
    .catch((error) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    });
}
