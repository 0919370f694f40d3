/**
 * JSON that is safe to show: `JSON.stringify` leaves DEL, the C1 controls and the marks that turn
 * the direction of text as they are, and a terminal would obey them.
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, null, indent));
}

/** For text in which strings stand in double quotes: JSON, and YAML that is written that way. */
export function escapeControls(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
