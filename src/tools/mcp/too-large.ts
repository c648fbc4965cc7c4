/** The code of an error of ours: an answer was dropped as it was too large (JSON-RPC leaves -32000 to -32099 to implementations). */
export const tooLarge = -32_090;
