/** Maximum bytes of a message or an HTTP answer; an image in base64 has a few million. */
export const mostMessageBytes = 16 * 1024 * 1024;

/**
 * Our error code for an answer that was too large (JSON-RPC leaves -32000 to -32099 to
 * implementations).
 */
export const tooLarge = -32_090;
