/**
 * Returns JSON that is safe to print. `JSON.stringify` does not escape DEL, the C1 controls and the marks that change the
 * direction of text, which a terminal would interpret.
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, null, indent));
}

/** Escapes control characters in text whose strings are in double quotes: JSON, and YAML in that style. */
export function escapeControls(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
