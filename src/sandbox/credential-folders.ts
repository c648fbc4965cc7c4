import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

/** Folders in which command lines keep who is signed in, under the names that their documentation gives. */
const folders = new Set(
  [
    ...[
      'ssh',
      'gnupg',
      'aws',
      'azure',
      'docker',
      'kube',
      'fly',
      'gem',
      'config',
      'gcloud',
      'oci',
      'vault',
      'terraform.d',
    ],
    ...[
      'netlify',
      'vercel',
      'heroku',
      'railway',
      'cf',
      'bluemix',
      'ibmcloud',
      'aliyun',
      'linode',
      'pulumi',
      'snyk',
      'wrangler',
    ],
    ...[
      'm2',
      'gradle',
      'nuget',
      'composer',
      'bundle',
      'sbt',
      'ivy2',
      'claude',
      'codex',
      'gemini',
      'cursor',
      'copilot',
    ],
    ...[
      'opencode',
      'huggingface',
      'kaggle',
      'databricks',
      'snowflake',
      'dbt',
      'boto',
      'minikube',
      'helm',
      'password-store',
    ],
  ].map((name) => `.${name}`),
);

/** Files that hold keys and tokens wherever they lie. */
const files =
  /^(?:\.netrc|_netrc|\.git-credentials|\.npmrc|\.pypirc|\.pgpass|\.vault-token|\.env|credentials(?:\..+)?|.*[._-]credentials?\.(?:json|db|toml|ya?ml)|(?:auth|hosts|tokens?|config)\.(?:json|ya?ml|toml)|access_tokens\..+|id_(?:rsa|dsa|ecdsa|ed25519)|settings(?:-security)?\.xml)$/i;

/** Those in which also a folder of programs is nothing but keys. */
const closed = /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|password-store)(?:\/|$)/;

/** True for a folder of keys, and for what lies in one. */
export function isClosed(folder: string): boolean {
  return closed.test(folder);
}

/** True for a folder that keeps credentials by its name, or right within it: a home that has another name, the folder of a command line. */
export function keepsCredentials(folder: string): boolean {
  if (folders.has(basename(folder))) return true;
  try {
    return readdirSync(folder).some((name) => folders.has(name) || files.test(name));
  } catch {
    return true;
  }
}
