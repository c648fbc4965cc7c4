/** No secret is longer than this many characters, however it is written: so much is read beyond a cut, that none is left in half. */
export const longestSecret = 16 * 1024;
