import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded by `node --import` into the App. Its delivery processes block permanently at a marked
 * text and at a file with that name, as with a hostile text beyond every limit.
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
