/** Text from transcripts may hold escape sequences and line breaks; none of them reaches a terminal. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
