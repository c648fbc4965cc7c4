import { stripInvisible } from '../../permissions/text/invisible.ts';
import { plainText } from '../shell/plain-text.ts';

/** What an agent wrote, without orders to a terminal and without what a reader would not see. */
export const agentText = (text: string): string => stripInvisible(plainText(text)).text;
