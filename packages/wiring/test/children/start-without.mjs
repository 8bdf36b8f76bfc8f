/** Starts a stack where some packages are not installed: `start-without.mjs OVERRIDES PACKAGES`, both JSON. */
import { register } from 'node:module';

const [overrides, packages] = process.argv.slice(2).map((argument) => JSON.parse(argument));
const hook = `
  const absent = ${JSON.stringify(packages)};
  export async function resolve(specifier, context, next) {
    if (absent.some((name) => specifier === name || specifier.startsWith(name + '/')))
      throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
const { start } = await import('../../src/index.ts');
const machine = await start({ env: {}, overrides });
const agent = await machine.kernel.spawn({ name: 'ada' });
await agent.append([{ text: 'My name is Ada.' }]);
console.log((await agent.map()).messages);
await machine.close();
