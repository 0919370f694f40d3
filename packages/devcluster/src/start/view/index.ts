export { type Colours, toText } from './ansi.ts';
export { convergedText, layOutFrame, type Moment, type Size } from './frame.ts';
export { cut, cutLine, type Line, type Span, span, textOf, type Tone, visible } from './line.ts';
export { LiveView, type LiveViewParts, type Terminal } from './live-view.ts';
export { pictureOf } from './picture.ts';
export { PlainView, type PlainViewParts, tableText } from './plain-view.ts';
export { Screen } from './screen.ts';
export { layOutTable } from './table.ts';
export { thingsToTry, type Trial } from './things-to-try.ts';
