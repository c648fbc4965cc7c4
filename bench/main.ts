import { parseArgs } from 'node:util';
import { installSystemPackages } from '../scripts/system-packages.ts';
import { benchAgent } from './agent.ts';
import { benchDelivery } from './delivery.ts';
import { benchSandbox } from './sandbox.ts';
import { benchTools } from './tools.ts';

/**
 * The benches by name: `npm run bench -- agent`, `… delivery`, `… sandbox`, `… tools`. Each returns
 * false if `--check` was given and a ratio is missed by more than 15 %.
 */
const benches: Readonly<Record<string, (check: boolean) => Promise<boolean | undefined>>> = {
  agent: benchAgent,
  delivery: async () => void (await benchDelivery()),
  sandbox: async () => void (await benchSandbox()),
  tools: async () => void (await benchTools()),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const [name = 'agent'] = positionals;
const bench = benches[name];
if (bench === undefined) {
  console.error(`There is no bench "${name}". There is: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else {
  installSystemPackages(process.env, ['bubblewrap']);
  if ((await bench(values.check)) === false) process.exitCode = 1;
}
