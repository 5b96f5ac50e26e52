export { type PagePart, pageText } from './page.ts';
export { plain } from './plain.ts';
export { fittedTo, listTable, type Style, type TextColumn, type TextTable, textColumns } from './table.ts';
export { wrapped } from './wrap.ts';
