// The floor: the least an agent loop can be. One prompt, one tool, streaming, no questions: its
// cost is that of Node, a socket and a shell. `node floor-loop.mjs PROMPT` with ANTHROPIC_BASE_URL
// and ANTHROPIC_API_KEY.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { createInterface } from 'node:readline';

const url = new URL('/v1/messages', process.env.ANTHROPIC_BASE_URL);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const headers = {
  'content-type': 'application/json',
  'x-api-key': process.env.ANTHROPIC_API_KEY ?? '',
  'anthropic-version': '2023-06-01',
};
const bashTool = {
  name: 'bash',
  description: 'Runs a shell command and returns what it prints.',
  input_schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};
const system = `You are a coding agent in ${process.cwd()}.`;
const messages = [{ role: 'user', content: process.argv[2] }];

/** Sends the conversation and returns the content blocks of the answer. */
async function ask() {
  const body = JSON.stringify({
    model: 'floor',
    max_tokens: 4096,
    stream: true,
    system,
    tools: [bashTool],
    messages,
  });
  const response = await new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    };
    http.request(url, options, resolve).on('error', reject).end(body);
  });
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
  const blocks = [];
  let json = '';
  for await (const line of createInterface({ input: response })) {
    if (!line.startsWith('data: ')) continue;
    const event = JSON.parse(line.slice(6));
    if (event.type === 'content_block_start') {
      blocks.push({ ...event.content_block });
      json = '';
    } else if (event.delta?.type === 'text_delta') blocks.at(-1).text += event.delta.text;
    else if (event.delta?.type === 'input_json_delta') json += event.delta.partial_json;
    else if (event.type === 'content_block_stop' && json !== '') blocks.at(-1).input = JSON.parse(json);
  }
  return blocks;
}

/** Runs one command and returns its result block. */
function run({ id, input }) {
  return new Promise((resolve) => {
    const shell = spawn('bash', ['-c', input.command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk));
    shell.on('close', (code) =>
      resolve({ type: 'tool_result', tool_use_id: id, content: output, is_error: code !== 0 }),
    );
  });
}

for (;;) {
  const blocks = await ask();
  messages.push({ role: 'assistant', content: blocks });
  const calls = blocks.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) {
    console.log(blocks.map((block) => block.text ?? '').join(''));
    break;
  }
  messages.push({ role: 'user', content: await Promise.all(calls.map(run)) });
}
agent.destroy();
