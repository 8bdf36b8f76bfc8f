import { realModel } from './command.js';

process.exitCode = await realModel(process.argv.slice(2));
