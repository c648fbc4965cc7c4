import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded by `node --import` into the App. Its delivery processes stand still for good, without an answer to anybody, at a text that
 * says so, and at a file of that name: what a hostile text beyond every bound would do.
 */
const standStill = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

if (process.argv[1]?.includes('delivery-process')) {
  const { includes } = String.prototype;
  String.prototype.includes = function (this: string, ...rest) {
    if (Reflect.apply(includes, this, ['a text that blocks'])) standStill();
    return Reflect.apply(includes, this, rest);
  };
  const { openSync } = fs;
  fs.openSync = (file, ...rest) => {
    if (String(file).endsWith('/blocks.txt')) standStill();
    return openSync(file, ...rest);
  };
  syncBuiltinESMExports();
}
