import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { mostImageBytes, type SeenImage, toImagePart } from './to-image-part.ts';

/** Reads an image by a path as `read` takes it. Throws `ToolError` if no model could see it. */
export async function loadImage(workspace: Workspace, path: string): Promise<SeenImage> {
  const info = await workspace.files.stat(path);
  if (info?.kind === 'directory') {
    throw new ToolError('is_directory', `${path || '.'} is a directory. Find its images with glob.`);
  }
  const { bytes, size } = await workspace.files.read(path, mostImageBytes);
  return toImagePart(workspace.files.relative(path), bytes, size);
}
