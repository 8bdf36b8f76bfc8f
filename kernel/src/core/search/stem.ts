import { stemmer } from 'stemmer';

/**
 * English verbs whose past Porter's rules do not lead back to the present: "went" is asked for as "go".
 * Forms that are as often another word (left, found, saw, rose) are not in it. LoCoMo: +.004.
 */
const IRREGULAR = `
arise arose arisen; become became; begin began begun; bend bent; bite bit bitten; bleed bled; blow blew blown;
break broke broken; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen;
come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; fight fought; fly flew flown; forbid forbade forbidden;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given;
go went gone; grow grew grown; hear heard; hide hid hidden; hold held; keep kept; know knew known; learn learnt;
lend lent; lose lost; make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung; run ran;
say said; see seen; seek sought; sell sold; send sent; shake shook shaken; shoot shot; show shown; shrink shrank;
sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent; spin spun; stand stood;
steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept; swim swam swum; take took taken;
teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood;
wake woke woken; wear wore worn; weep wept; win won; write wrote written
`;

const PRESENT: ReadonlyMap<string, string> = new Map(IRREGULAR.split(';').flatMap(forms));
const PLAIN_WORD = /^[a-z]+$/;

/** The stem of a folded word. Words that are not plain Latin letters are their own. */
export function stem(word: string): string {
  return PLAIN_WORD.test(word) ? stemmer(PRESENT.get(word) ?? word) : word;
}

function forms(line: string): (readonly [string, string])[] {
  const [present = '', ...past] = line.trim().split(/\s+/);
  return past.map((form) => [form, present] as const);
}
