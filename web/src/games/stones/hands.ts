// What understands touches, keys and drags, and answers in words: fetched as soon as the table stands, which needs none of it at first.
export { choosing, howItPays, refusedInWords, why, whyNot, worth } from './answers';
export { press } from '../drag';
export { agreed } from '../agreed';
export { eventInWords, stepInWords } from './tell';
export { answerKey } from './keys';
export { artist, colour, move, space, stack, tops } from './touch';
