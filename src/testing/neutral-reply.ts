import type { MessageReply } from './reply.ts';
import type { ScriptedRequest } from './scripted-request.ts';

const neutralTexts: Readonly<Record<string, string>> = {
  compaction:
    '<analysis>Scripted.</analysis>\n<summary>The scripted conversation so far.</summary>',
  probe: 'OK',
  search: 'The scripted search found nothing.',
  suggestion: '',
};

/** An answer to a side request that lets Claude Code go on as if nothing had been asked. */
export function neutralReply(request: Pick<ScriptedRequest, 'kind' | 'body'>): MessageReply {
  const text =
    request.kind === 'form'
      ? JSON.stringify(smallestValue(schemaOf(request.body)))
      : (neutralTexts[request.kind] ?? '');
  return {
    type: 'message',
    content: [{ type: 'text', text }],
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}

/**
 * The plainest value that a JSON schema allows: required properties only, `true`, 0, a word.
 *
 * @param schema - Only `const`, `enum`, `type`, `properties`, `required` are looked at.
 */
export function smallestValue(schema: unknown): unknown {
  if (!isRecord(schema)) return null;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (schema['type']) {
    case 'object':
      return smallestObject(schema);
    case 'array':
      return [];
    case 'string':
      return 'scripted';
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 0;
    default:
      return null;
  }
}

function smallestObject(schema: Readonly<Record<string, unknown>>): unknown {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return Object.fromEntries(required.map((name) => [name, smallestValue(properties[name])]));
}

function schemaOf(body: unknown): unknown {
  const config = isRecord(body) ? body['output_config'] : undefined;
  const format = isRecord(config) ? config['format'] : undefined;
  return isRecord(format) ? format['schema'] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
