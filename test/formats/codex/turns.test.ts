import { describe, expect, it } from 'vitest';
import { humanTurns } from '../../../src/session/session.ts';
import { compacted, count, event, item, type Line, message, meta, prompt, promptItem, read, reply } from './rollout.ts';

const end = [reply('a'), count([1, 0, 1], [1, 0, 1])];

/** Texts of the blocks that a human wrote. */
function prompts(lines: readonly Line[]): (string | undefined)[] {
  const { session } = read([meta('s1'), ...lines, ...end]);
  const texts = session.blocks.filter((block) => block.kind === 'prompt').map((block) => block.text);
  expect(humanTurns(session)).toBe(texts.length);
  return texts;
}

describe('human prompts', () => {
  it.each([
    '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>',
    '<user_instructions>\nbe good\n</user_instructions>',
    '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\n…\n</INSTRUCTIONS>',
    '<recommended_plugins>\nnone\n</recommended_plugins>',
    '<subagent_notification>\n{}\n</subagent_notification>',
    '<turn_aborted>\nstopped',
  ])('are not what the harness injects: %j', (text) => {
    expect(prompts([message('user', text), message('user', 'go')])).toEqual(['go']);
    expect(prompts([message('user', text), ...prompt('go')])).toEqual(['go']);
  });

  it('are what an event says that a human typed, however it looks', () => {
    expect(prompts([...prompt('<b>bold</b>'), message('user', 'Warning: too many processes')])).toEqual([
      '<b>bold</b>',
    ]);
  });

  it('may come after their event, and be longer than it', () => {
    const wrapped = '# Context from my IDE setup:\nfile.ts\n\n## My request for Codex:\nfix it\n';
    expect(prompts([event('user_message', { message: 'fix it' }), message('user', wrapped)])).toEqual([wrapped]);
    expect(prompts([message('user', 'first'), event('user_message', { message: 'shown otherwise' })])).toEqual([
      'first',
    ]);
  });

  it('are one for each event when the same words come twice', () => {
    expect(prompts([...prompt('go on'), ...prompt('go on')])).toEqual(['go on', 'go on']);
  });

  it('are one turn each when a human speaks while the model works', () => {
    const { session } = read([
      meta('s1'),
      event('task_started'),
      ...prompt('go'),
      reply('a'),
      count([1, 0, 1], [1, 0, 1]),
      ...prompt('stop that'),
      reply('b'),
      count([2, 0, 1], [3, 0, 2]),
    ]);
    expect(session.turns).toEqual([{ firstBlock: 0 }, { firstBlock: 2 }]);
    expect(session.requests.map((request) => request.turn)).toEqual([0, 1]);
  });

  it('hold a human text beside an injected part, and images', () => {
    const parts = [
      { type: 'input_text', text: '<image name=[Image #1]>' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_text', text: '</image>' },
    ];
    const { session } = read([meta('s1'), item('message', { role: 'user', content: parts }), ...end]);
    expect(session.blocks[0]).toMatchObject({ kind: 'prompt', images: 1 });
    const mixed = [
      { type: 'input_text', text: '<environment_context>x</environment_context>' },
      { type: 'input_text', text: 'go' },
    ];
    expect(read([meta('s1'), item('message', { role: 'user', content: mixed }), ...end]).session.blocks[0]?.kind).toBe(
      'prompt',
    );
  });

  it('says so when a user message has no event though others have', () => {
    const { findings } = read([meta('s1'), ...prompt('go'), message('user', 'Warning: slow'), ...end]);
    expect(findings.count('unmatched-user-message')).toBe(1);
  });

  it.each([
    ['behind its message', [message('user', '<task>fix</task>'), promptItem('<task>fix</task>')]],
    ['before it', [promptItem('<task>fix</task>'), message('user', '<task>fix</task>')]],
    ['with both kinds of event', [...prompt('<task>fix</task>'), promptItem('<task>fix</task>')]],
    [
      'with the item first',
      [
        message('user', '<task>fix</task>'),
        promptItem('<task>fix</task>'),
        event('user_message', { message: '<task>fix</task>' }),
      ],
    ],
    [
      'that is written twice',
      [message('user', '<task>fix</task>'), promptItem('<task>fix</task>'), promptItem('<task>fix</task>')],
    ],
    ['in other words', [message('user', '<task>fix</task>'), promptItem('fix it, please')]],
  ])('are items of a history in pages: %s', (_, lines) => {
    const note = message('user', '<environment_context>\n<cwd>/w</cwd>\n</environment_context>');
    const warning = message('user', 'Warning: slow');
    const texts = prompts([note, event('task_started'), ...lines.slice(0, 3), warning]);
    expect(texts).toEqual(['<task>fix</task>']);
  });

  it('are two where the same words were sent twice, in one turn or two', () => {
    const again = [
      message('user', 'go on'),
      promptItem('go on', 'i1'),
      message('user', 'go on'),
      promptItem('go on', 'i2'),
    ];
    expect(prompts(again)).toEqual(['go on', 'go on']);
    const both = [...prompt('go on'), promptItem('go on', 'i1')];
    expect(prompts([event('task_started'), ...both, event('task_started'), ...both])).toEqual(['go on', 'go on']);
  });

  it('are read from a file whose older part has the one kind of event and its newer part the other', () => {
    const older = [event('task_started'), ...prompt('<b>one</b>')];
    const newer = [event('task_started'), message('user', '<b>two</b>'), promptItem('<b>two</b>')];
    expect(prompts([...older, ...newer])).toEqual(['<b>one</b>', '<b>two</b>']);
  });

  it('stay prompts in a history that a compaction kept, however they look', () => {
    const kept = message('user', '<task>fix</task>').payload;
    const { session } = read([
      meta('s1'),
      message('user', '<task>fix</task>'),
      promptItem('<task>fix</task>'),
      ...end,
      compacted({ message: '', replacement_history: [kept] }),
    ]);
    expect(session.blocks.filter(({ kind }) => kind === 'prompt')).toHaveLength(2);
    expect(humanTurns(session)).toBe(1);
  });
});
