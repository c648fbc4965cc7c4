import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { loadImage } from './to-image-part.ts';

const input = z.object({ path: z.string().min(1) });

/** Displays one image file to the model. */
export const viewImage = defineTool({
  name: 'view_image',
  argumentAliases: { file_path: 'path' },
  description: 'Look at an image file (png, jpg, gif, webp; at most 4 MiB).',
  exposure: 'deferred',
  findBy: ['images', 'picture|screenshot|photo|png'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.path, paths: [{ path: args.path, access: 'read' }] }),
  async execute(args, context) {
    const image = await loadImage(context.workspace, args.path);
    const path = context.workspace.files.relative(args.path);
    return {
      content: [{ type: 'text', text: `${path}: ${image.description}` }, image.part],
      data: { path, ...image.data },
    };
  },
});
