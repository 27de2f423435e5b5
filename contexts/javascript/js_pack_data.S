/* SPDX-License-Identifier: MIT */
/* js_pack_data.S - the two packs of bytecode, as they are. Assembly, because a compiler would need
 * minutes for an array of five megabytes. */
        .section .rodata
        .global js_pack_prelude_begin, js_pack_prelude_end
        .global js_pack_npm_begin, js_pack_npm_end
        .balign 16
js_pack_prelude_begin:
        .incbin JS_PACK_PRELUDE
js_pack_prelude_end:
        .balign 16
js_pack_npm_begin:
        .incbin JS_PACK_NPM
js_pack_npm_end:
        .byte 0
        .section .note.GNU-stack,"",%progbits
