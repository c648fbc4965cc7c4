/** Placeholders that people use where a key is required but not needed. */
const dummies = new Set(
  [
    ...['ollama', 'empty', 'none', 'null', 'nil', 'undefined', 'true', 'false', 'dummy', 'fake', 'test'],
    ...['testing', 'example', 'sample', 'placeholder', 'changeme', 'change-me', 'anything', 'whatever'],
    ...['unused', 'ignored', 'local', 'localhost', 'default', 'todo', 'key', 'apikey', 'api-key', 'api_key'],
    ...['token', 'secret', 'password', 'my-key', 'mykey', 'my-api-key', 'your-key', 'your-api-key'],
    ...[
      'no-key',
      'nokey',
      'no-key-required',
      'sk-no-key-required',
      'not-needed',
      'notneeded',
      'no-key-needed',
    ],
    ...['not-required', 'notrequired', 'not-used', 'not-set', 'lm-studio', 'lmstudio', 'vllm', 'sglang'],
    ...['llama', 'llamacpp', 'llama.cpp', 'llama-cpp', 'localai', 'litellm', 'jan', 'sk-dummy', 'sk-fake'],
    ...['sk-test', 'sk-xxx', 'sk-1234', 'dummy-key', 'fake-key', 'test-key', 'dummy-token', 'fake-token'],
  ].flatMap((word) => [word, word.replaceAll('-', '_')]),
);

/** No key that anybody made is one word as short as this. */
const shortWord = /^[A-Za-z]{1,8}$/;

/**
 * True if a value is a known stand-in for a secret: `ollama`, `EMPTY`, `<your key>`, `xxxx`. To hide it would cut an ordinary
 * word out of tasks and files.
 */
export function isDummySecret(value: string): boolean {
  const bare = value.trim();
  return dummies.has(bare.toLowerCase()) || /^[xX*.0-]+$/.test(bare) || /^<[^<>]*>$/.test(bare);
}

/** The same of a key or a token, of which a short word is none either; a password may well be one. */
export function isDummyKey(value: string): boolean {
  const bare = value.trim();
  return isDummySecret(bare) || shortWord.test(bare);
}
