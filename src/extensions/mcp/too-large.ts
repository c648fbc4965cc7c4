/**
 * Bytes of one message of a server, or of one answer over HTTP; an image in base64 is a few
 * million.
 */
export const mostMessageBytes = 16 * 1024 * 1024;

/**
 * The code of an error of ours: an answer was dropped as it was too large (JSON-RPC leaves -32000
 * to -32099 to implementations).
 */
export const tooLarge = -32_090;
