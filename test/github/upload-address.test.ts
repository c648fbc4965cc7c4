import { expect, test } from 'vitest';
import { isUploadStore, uploadKey } from '../../src/github/upload-address.ts';

const uuid = '0bec7adc-52c5-432f-bca7-c9a3186649b4';
const com = 'https://github.com';
const own = 'https://git.example:8443';

test.each([
  `https://github.com/user-attachments/assets/${uuid}`,
  `https://github.com/user-attachments/assets/${uuid.toUpperCase()}`,
  `https://github.com/acme/shop.js/assets/1826685/${uuid}`,
  `https://private-user-images.githubusercontent.com/1188925/233099814-${uuid}.png?jwt=abc.def`,
  `https://user-images.githubusercontent.com/1188925/233099814-${uuid}.png`,
])('%s is the same upload to github.com', (address) => {
  expect(uploadKey(address, com)).toBe(uuid);
});

test.each([
  `${own}/storage/user/5/files/${uuid}?token=T`,
  `${own}/user-attachments/assets/${uuid}`,
  `https://media.git.example/user/5/files/${uuid}?token=T`,
])('%s is the same upload to a private server', (address) => {
  expect([uploadKey(address, own), uploadKey(address, com)]).toEqual([uuid, null]);
});

test('an upload without an id is identified by its whole path', () => {
  expect(uploadKey('https://user-images.githubusercontent.com/7/Shot.png?x=1', com)).toBe(
    'user-images.githubusercontent.com/7/shot.png',
  );
});

test.each([
  'https://example.com/user-attachments/assets/x.png',
  `https://github.com.evil.example/user-attachments/assets/${uuid}`,
  `https://evil.example/https://github.com/user-attachments/assets/${uuid}`,
  `http://github.com/user-attachments/assets/${uuid}`,
  `https://github.com:8080/user-attachments/assets/${uuid}`,
  `https://token@github.com/user-attachments/assets/${uuid}`,
  `https://github.com/user-attachments/assets/${uuid}/../../../logout`,
  `https://github.com/user-attachments/files/1/${uuid}`,
  'https://github.com/acme/shop/raw/main/a.png',
  'https://raw.githubusercontent.com/acme/shop/main/a.png',
  'https://camo.githubusercontent.com/abc',
  `https://user-images.githubusercontent.com:444/1/${uuid}.png`,
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'no address',
  '',
])('%s is no upload', (address) => {
  expect([uploadKey(address, com), isUploadStore(address, com)]).toEqual([null, false]);
});

test('only the store of github.com may be the target of a redirect, and only from there', () => {
  const store = `https://github-production-user-asset-6210df.s3.amazonaws.com/1/${uuid}.png?X-Amz-Signature=1`;
  expect([
    isUploadStore(store, com),
    isUploadStore(store, own),
    isUploadStore(store.replace('6210df', '6210df.evil'), com),
    isUploadStore(store.replace('https', 'http'), com),
    isUploadStore(`https://private-user-images.githubusercontent.com/1/2-${uuid}.png`, com),
  ]).toEqual([true, false, false, false, true]);
});
