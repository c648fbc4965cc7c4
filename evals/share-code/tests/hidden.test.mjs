import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';

const rows = '# comment\r\n Pear ; 2.50\n\n  \nPlum;3\n';

test('the three modules return what they did', async () => {
  writeFileSync('rows.txt', rows);
  const { readPrices } = await import('./src/prices.js');
  const { readStocks } = await import('./src/stocks.js');
  const { readColours } = await import('./src/colours.js');
  assert.deepEqual(await readPrices('rows.txt'), [
    { name: 'Pear', price: 2.5 },
    { name: 'Plum', price: 3 },
  ]);
  assert.deepEqual(await readStocks('rows.txt'), [
    { name: 'Pear', stock: 2 },
    { name: 'Plum', stock: 3 },
  ]);
  writeFileSync('colours.txt', 'Pear; Green\n');
  assert.deepEqual(await readColours('colours.txt'), [{ name: 'Pear', colour: 'green' }]);
});

test('the rows are read in one place', async () => {
  const { readRows } = await import('./src/read-rows.js');
  writeFileSync('rows.txt', rows);
  assert.deepEqual(await readRows('rows.txt'), [
    ['Pear', '2.50'],
    ['Plum', '3'],
  ]);
  const reading = readdirSync('src').filter((name) =>
    /readFile|\.split\(/.test(readFileSync(`src/${name}`, 'utf8')),
  );
  assert.deepEqual(reading, ['read-rows.js']);
});
