import { describeCodec } from "../testing/describe-codec.ts";
import { GEMINI } from "../testing/formats.ts";

describeCodec(GEMINI);
