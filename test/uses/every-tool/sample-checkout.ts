/** A small project with a file of each kind that the tools meet. */
export const sample: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n\nSells apples.\n',
  'package.json': '{ "name": "shop", "version": "1.0.0" }\n',
  'src/cart.ts': 'export function total(prices: number[]): number {\n  return prices.length;\n}\n',
  'src/price.py': 'def price(apples):\n    return apples * 2\n',
  'main.go': 'package main\n\nfunc main() {\n\tprintln("shop")\n}\n',
  'config/app.yaml': 'shop:\n  name: Apples # the best\n  open: true\n',
  'scripts/build.sh': '#!/bin/sh\necho built\n',
  '.agents/skills/release/SKILL.md':
    '---\nname: release\ndescription: How this shop is released.\n---\nRaise the version, then tag it.\n',
  '.agents/skills/release/steps.txt': 'first: raise\nsecond: tag\n',
  '.agents/checks/prices.md': '---\ntools: [read]\n---\nEvery price is positive.\n',
};
