import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const html = readFileSync('sign-up.html', 'utf8');
const attribute = (tag, name) => new RegExp(`\\s${name}\\s*=\\s*["']?([^"'\\s>]*)`, 'i').exec(tag)?.[1];
const tags = (name) => html.match(new RegExp(`<${name}\\b[^>]*>`, 'gi')) ?? [];

test('the page has a language, and the logo a text', () => {
  assert.match(attribute(tags('html')[0], 'lang') ?? '', /^en\b/);
  assert.equal(attribute(tags('img')[0], 'alt'), 'Acme');
});

test('each field has its label', () => {
  const labels = [...html.matchAll(/<label\b([^>]*)>([^<]*)/gi)].map(([, tag, text]) => [
    attribute(tag, 'for'),
    text.trim().replace(/:$/, ''),
  ]);
  assert.deepEqual(labels.sort(), [
    ['email', 'E-mail'],
    ['name', 'Name'],
    ['plan', 'Plan'],
  ]);
});

test('a button sends the form', () => {
  const button = /<button\b([^>]*)>\s*Sign up\s*<\/button>/i.exec(html);
  assert.ok(button);
  assert.ok([undefined, 'submit'].includes(attribute(button[1], 'type')));
  assert.doesNotMatch(html, /onclick/i);
});

test('what the server expects is as it was', () => {
  const form = tags('form')[0];
  assert.deepEqual([attribute(form, 'action'), attribute(form, 'method')], ['/sign-up', 'post']);
  const fields = [...tags('input'), ...tags('select')].map((tag) => [
    attribute(tag, 'id'),
    attribute(tag, 'name'),
  ]);
  assert.deepEqual(fields, [
    ['name', 'name'],
    ['email', 'email'],
    ['plan', 'plan'],
  ]);
});
