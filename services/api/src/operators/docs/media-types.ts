export const yamlType = "application/yaml; charset=utf-8";
export const htmlType = "text/html; charset=utf-8";
