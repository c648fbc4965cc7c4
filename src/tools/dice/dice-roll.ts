import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { toJson } from '../text/to-json.ts';
import { defineTool } from '../tool.ts';
import { parseFormula } from './parse-formula.ts';
import { rollDice } from './roll-dice.ts';

const input = z.object({
  formula: z.coerce.string().describe('d6, 1d20, 3d6+4, 2d10-1; 20 is 1d20'),
});

/** Rolls fair dice. */
export const diceRoll = defineTool({
  name: 'dice.roll',
  description: 'Roll dice, where a task asks for chance.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({ what: args.formula }),
  async execute(args) {
    const { count, sides, modifier } = parseFormula(args.formula);
    const { rolls, total } = rollDice({ count, sides, modifier }, (below) => randomInt(below));
    const formula = `${count}d${sides}${signed(modifier)}`;
    const sum = rolls.length === 1 && modifier === 0 ? '' : ` = ${total}`;
    const added = modifier === 0 ? '' : ` ${modifier < 0 ? '-' : '+'} ${Math.abs(modifier)}`;
    return {
      content: `${formula}: ${rolls.join(' + ')}${added}${sum}`,
      data: toJson({ formula, rolls, modifier, total }),
    };
  },
});

function signed(modifier: number): string {
  if (modifier === 0) return '';
  return modifier < 0 ? String(modifier) : `+${modifier}`;
}
