#!/usr/bin/env node
// In the repository as it is checked out there is nothing built yet; `npm run build` does it.
await import('@pagefault/conformance/command');
