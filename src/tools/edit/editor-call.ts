import type { Json, JsonObject } from '../../contract/json.ts';

/** Another tool that a call means, with its arguments. */
export interface EditorCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/**
 * Translates a call of `edit_file` with a `command`, as another agent's editing tool takes it
 * (Anthropic, "Text editor tool": view, create, insert, str_replace). Null for an edit or an
 * unknown command.
 */
export function editorCall(tool: string, input: Json): EditorCall | null {
  if (tool !== 'edit_file' || typeof input !== 'object' || input === null || Array.isArray(input))
    return null;
  const { command, view_range, file_text, insert_line, insert_text, new_str } = input;
  const path = input.path ?? input.file_path ?? null;
  const given = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
    Object.fromEntries(
      Object.entries({ path, ...fields }).filter((field): field is [string, Json] => field[1] != null),
    );
  switch (command) {
    case 'view':
      return { tool: 'read', input: given({ read_range: view_range }) };
    case 'create':
      return {
        tool: 'create_file',
        input: given({ content: file_text ?? input.content, overwrite: true }),
      };
    case 'insert':
      return { tool: 'insert_text', input: given({ line: insert_line, text: insert_text ?? new_str }) };
    default:
      return null;
  }
}
