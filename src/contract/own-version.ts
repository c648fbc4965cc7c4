/** The version of this program, as in package.json, which a bundle may not have beside it. */
export const ownVersion = '1.0.0';
